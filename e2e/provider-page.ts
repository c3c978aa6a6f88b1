// The page of a simulated provider, in the window that the shop opened.
import { expect, type FrameLocator, type Page } from '@playwright/test';

export type Decision = 'Pay' | 'Decline' | 'Pay later';

/**
 * Decides on a provider's page.
 * @param note words that make something go wrong, e.g. "duplicate"; see simulators/kit/faults.ts
 */
export async function payOnProvider(window: Page | FrameLocator, decision: Decision, note?: string): Promise<void> {
  await expect(window.getByRole('note')).toContainText('no real money');
  if (note !== undefined) await window.getByRole('textbox', { name: 'Note' }).fill(note);
  await window.getByRole('button', { name: decision, exact: true }).click();
}
