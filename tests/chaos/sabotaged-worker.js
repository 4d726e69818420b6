/** Web Workers whose script imports the saboteur first. */
export class SabotagedWorker extends Worker {
  constructor(address, options) {
    const scripts = [new URL("saboteur-page.js", import.meta.url), new URL(address, location.href)];
    const text = scripts.map((script) => `import ${JSON.stringify(script.href)};`).join("\n");
    super(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), options);
  }
}
