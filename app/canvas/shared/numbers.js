// Numbers as they are read: weights and probabilities come in thousandths.

/** @param {number} thousandths */
export function decimals(thousandths) {
  return (thousandths / 1000).toFixed(3);
}

/** Three characters, which is what fits beside a node: ".95" or "1.0". @param {number} thousandths */
export function shortDecimals(thousandths) {
  return (thousandths / 1000).toFixed(2).replace(/^0/, "").slice(0, 3);
}

/** @param {Iterable<number>} numbers */
export function ascending(numbers) {
  return [...numbers].sort((one, other) => one - other);
}
