/**
 * Names of the platform that the declarations use and that a program's libraries may lack: a compiler before 5.2, or one without
 * "dom". Where the libraries have them, these declarations add nothing.
 */
export {};

/*
 * Read-only members are inherited: declared again beside an accessor, as the types of Cloudflare's workers have them, they are an error.
 */
interface Sized {
  readonly size: number;
}
interface Answered {
  readonly ok: boolean;
}

declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
    readonly asyncDispose: unique symbol;
  }
  interface Blob extends Sized {}
  interface Response extends Answered {}
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
