// Guesses the kind of device, for providers whose pages differ by it. A hint, never a ground to decide on money.

/** `os` and `isMobile` out of a User-Agent header; a tablet that calls itself a desktop is one. */
export function readDevice(userAgent: string): { isMobile: boolean; os: 'ios' | 'android' | 'other' } {
  const os = /iPhone|iPad|iPod/.test(userAgent) ? 'ios' : /Android/.test(userAgent) ? 'android' : 'other';
  return { os, isMobile: os !== 'other' || /Mobi/.test(userAgent) };
}
