// On which kind of device the page runs, for channels that exist on one only.
import type { Platform } from '#contracts/envelope.ts';

/**
 * iPads call themselves a Mac, but a Mac has no touch screen.
 * @param touchPoints `navigator.maxTouchPoints`
 */
export function platformOf(userAgent: string, touchPoints: number): Platform {
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)) return 'ios';
  return /Android/.test(userAgent) ? 'android' : 'web';
}

export function currentPlatform(): Platform {
  return platformOf(navigator.userAgent, navigator.maxTouchPoints);
}
