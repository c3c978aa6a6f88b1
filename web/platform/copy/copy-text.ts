// Copying by a press. Browsers may refuse it: in a game's frame without `clipboard-write`, in an app's view, on a page
// without TLS.
import { lazyPart } from '../lazy/lazy-part.ts';
import { openPopup } from '../popups/popups.tsx';
import { showToast } from '../toast.ts';

const CopyPopup = lazyPart(() => import('./CopyPopup.tsx').then((module) => module.CopyPopup));

/**
 * The player always gets a word: that it is copied, or the text, selected to be copied by hand. Never rejects.
 * @param words.copied said in a toast
 * @param words.title of the popup with the text
 */
export async function copyText(text: string, { copied, title }: { copied: string; title: string }): Promise<void> {
  try {
    // `navigator.clipboard` may be absent where the clipboard is shut, which throws here as well.
    await navigator.clipboard.writeText(text);
  } catch {
    openPopup(CopyPopup, { text, title });
    return;
  }
  showToast(copied, 'ok');
}
