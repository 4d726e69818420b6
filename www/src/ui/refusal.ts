/** Why a form cannot be applied, as a sentence. */

/** Names the first number out of its range and puts the focus on it; undefined if all fit. */
export function outOfRange(form: HTMLFormElement): string | undefined {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input[type="number"]')];
  const input = inputs.find(({ validity }) => !validity.valid);
  if (input === undefined) return undefined;
  input.focus();
  const { min, max, step } = input;
  const name = input.labels?.[0]?.querySelector("span")?.textContent ?? input.ariaLabel;
  const kind = step === "1" ? "a whole number" : step === "4" ? "a multiple of 4" : "a number";
  const range = max === "" ? `at least ${min}` : `from ${min} to ${max}`;
  return `${name} must be ${kind}, ${range}.`;
}
