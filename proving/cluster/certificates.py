"""An authority of the drill's own, and one certificate for every machine of its cluster."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True, slots=True)
class Papers:
    """Where they lie: who vouches, the certificate, its key, and both in one file as HAProxy reads them."""

    authority: Path
    certificate: Path
    key: Path
    both: Path


def certify(folder: Path, addresses: Iterable[str]) -> Papers:
    """For one day: no drill is longer."""
    papers = Papers(*(folder / name for name in ("authority.pem", "certificate.pem", "key.pem", "front.pem")))
    signing, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    house = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Fairmeter drill")])
    authority = _paper(house, house, signing.public_key()).add_extension(x509.BasicConstraints(True, 0), critical=True)
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(each)) for each in addresses])
    server = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Fairmeter drill's machines")])
    certificate = _paper(server, house, own.public_key()).add_extension(names, critical=False)
    papers.authority.write_bytes(authority.sign(signing, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    papers.certificate.write_bytes(certificate.sign(signing, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    papers.key.write_bytes(
        own.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )  # fmt: skip
    papers.both.write_bytes(papers.certificate.read_bytes() + papers.key.read_bytes())
    for path in (papers.key, papers.both):
        path.chmod(0o600)
    return papers


def _paper(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
    )
