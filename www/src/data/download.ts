/** Downloads that the page offers. */

/** Offers bytes or text as a download. */
export function download(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser gives no event when it has read the address, so it is revoked later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
