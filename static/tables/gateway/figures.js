// Amounts come as exact text; they are cut, never rounded, and written as this house writes figures.

// The sample is 1234567.89 in this house's hand: two marks between groups, and a third where there are cents.
export function figures(sample) {
  const marks = sample.replaceAll(/\d/g, "");
  const [group, point] = [marks[0] ?? "", marks.length > 2 ? marks.at(-1) : ""];
  const digits = point ? sample.length - sample.lastIndexOf(point) - 1 : 0;
  return (text) => {
    const [whole, rest = ""] = String(text).split(".");
    const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, group);
    return digits ? `${grouped}${point}${rest.padEnd(digits, "0").slice(0, digits)}` : grouped;
  };
}

// A number of chips times the wager, both exact.
export function times(wager, count) {
  const [whole, rest = ""] = wager.split(".");
  const scale = 10n ** BigInt(rest.length);
  const units = (BigInt(whole) * scale + BigInt(rest || "0")) * BigInt(count);
  return rest ? `${units / scale}.${String(units % scale).padStart(rest.length, "0")}` : String(units);
}
