// The address of a page as it was asked for.

/** Two slashes at the start are a path of ours that nobody has, never another host. */
export function readAddress({ url }: { readonly url: string }): URL {
  return new URL(`http://shop${url.startsWith('/') ? '' : '/'}${url}`);
}
