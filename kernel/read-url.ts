// Reads an address: what URL.parse does, which browsers of 2023 do not have. Pure.

/** Returns null for what is no absolute address. */
export function readUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
