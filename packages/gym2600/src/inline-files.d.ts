/** Files of the build as texts; see tsdown.inline.config.ts. */
declare module "virtual:inline-files" {
  export const WASM_BASE64: string;
  export const WORKER_TEXT: string;
}
