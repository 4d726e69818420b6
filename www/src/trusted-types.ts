/** Trusted Types: the page's content security policy lets no text become code, and this policy lets the page's own scripts be workers. */

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string | null }): unknown;
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
// The policy named "default" is asked wherever a plain string is given, as to `new Worker`.
trustedTypes?.createPolicy("default", {
  createScriptURL: (url) => (new URL(url, document.baseURI).origin === location.origin ? url : null),
});
