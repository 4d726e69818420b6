/**
 * Names of the platform that the declarations use and that a program's libraries may lack: a compiler before 5.2, or one without
 * "dom". Where the libraries have them, these declarations add nothing.
 */
export {};

declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
    readonly asyncDispose: unique symbol;
  }
  interface Blob {
    readonly size: number;
  }
  interface Response {
    readonly ok: boolean;
  }
  interface URL {
    href: string;
  }
  interface EventTarget {}
  interface HTMLCanvasElement {
    width: number;
    height: number;
  }
  interface OffscreenCanvas {
    width: number;
    height: number;
  }
  namespace WebAssembly {
    interface Module {}
  }
}
