/** A WebAssembly file that the platform imports as a compiled module. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  // biome-ignore lint/style/noDefaultExport: workerd gives a module this export.
  export default module;
}
