"""What `deploy/` ships is read by the programs that it is for; figures that its rules name are figures that we tell."""

from __future__ import annotations

import os
import subprocess
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from launcher.up import add_wishes
from proving.cluster.certificates import Papers, certify
from proving.engines import Engine, NoEngine, engine

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"


@pytest.fixture
def papers(tmp_path: Path) -> Papers:
    return certify(tmp_path, ["127.0.0.1"])


def program(name: str) -> Engine:
    try:
        return engine(name)
    except NoEngine as why:
        pytest.skip(str(why))


def said_by(made: Engine, *words: str, **told: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, **made.environ, **told}
    return subprocess.run([str(made.program), *words], env=environ, capture_output=True, text=True, check=False)


def test_haproxy_reads_the_front(papers: Papers) -> None:
    told = {
        "FAIRMETER_FRONT": "127.0.0.1:28443", "FAIRMETER_NAME": "127.0.0.1", "FAIRMETER_WEB1": "127.0.0.11:8443",
        "FAIRMETER_WEB2": "127.0.0.12:8443", "FAIRMETER_CERTIFICATE": str(papers.both),
        "FAIRMETER_CA": str(papers.authority),
    }  # fmt: skip
    done = said_by(program("haproxy"), "-c", "-f", str(DEPLOY / "haproxy.cfg"), **told)
    assert (done.returncode, "[ALERT]" in done.stderr, "[WARNING]" in done.stderr) == (0, False, False), done.stderr


def test_nginx_reads_the_front_of_one_machine(papers: Papers, tmp_path: Path) -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    for shipped, made in (("front.crt", papers.certificate), ("front.key", papers.key)):
        assert f"/etc/fairmeter/{shipped}" in text
        text = text.replace(f"/etc/fairmeter/{shipped}", str(made))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    ours = "".join(f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in kinds)
    (tmp_path / "nginx.conf").write_text(f"pid {tmp_path}/pid;\n{text.replace('http {', 'http {' + ours, 1)}")
    done = said_by(
        program("nginx"), "-t", "-q", "-e", "stderr", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_compose_names_only_what_it_declares() -> None:
    told: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yml").read_text())
    for name, service in told["services"].items():
        assert service["image"], name
        assert set(service.get("secrets", ())) <= set(told["secrets"]), name
        assert set(service.get("depends_on", ())) <= set(told["services"]), name
        named = [volume.partition(":")[0] for volume in service.get("volumes", ())]
        assert {each for each in named if not each.startswith((".", "/"))} <= set(told["volumes"]), name
    assert_up_knows([word.partition("=")[0] for word in told["services"]["fairmeter"]["command"][2:]])


def test_patroni_never_acknowledges_on_one_machine_only() -> None:
    told = yaml.safe_load((DEPLOY / "patroni.yml").read_text())["bootstrap"]["dcs"]
    assert (told["synchronous_mode"], told["synchronous_mode_strict"]) == (True, True)
    durable = told["postgresql"]["parameters"]
    assert {durable[name] for name in ("fsync", "full_page_writes", "synchronous_commit")} == {"on"}
    assert told["loop_wait"] + 2 * told["retry_timeout"] <= told["ttl"], "Patroni's own rule of these three"


@pytest.mark.parametrize("path", sorted((DEPLOY / "systemd").glob("*.service")), ids=lambda path: path.stem)
def test_units_start_what_exists(path: Path) -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(path)
    assert unit["Service"]["Restart"] == "always"
    words = unit["Service"]["ExecStart"].split()
    if "manage.py" in words:
        assert_up_knows([word for word in words[words.index("up") + 1 :] if word.startswith("--")])


def assert_up_knows(options: list[str]) -> None:
    from argparse import ArgumentParser

    parser = ArgumentParser()
    add_wishes(parser)
    known = {word for action in parser._actions for word in action.option_strings}
    assert {word for word in options if word != "up"} <= known
