// Numbers as they are read: weights and probabilities come in thousandths.

/** @param {number} thousandths */
export function decimals(thousandths) {
  return (thousandths / 1000).toFixed(3);
}

/** A share of something that is listed: what is written as 0 is less than it could be written.
 * @param {number} thousandths */
export function shareText(thousandths) {
  return thousandths > 0 ? decimals(thousandths) : "<.001";
}

/** What fits beside a node: ".95", "1.0", ">.99" for nearly one and "<.01" for nearly nothing.
 * @param {number} thousandths */
export function shortDecimals(thousandths) {
  if (thousandths >= 995 && thousandths < 1000) return ">.99";
  if (thousandths < 5) return "<.01";
  return (thousandths / 1000).toFixed(2).replace(/^0/, "").slice(0, 3);
}

/** @param {Iterable<number>} numbers */
export function ascending(numbers) {
  return [...numbers].sort((one, other) => one - other);
}
