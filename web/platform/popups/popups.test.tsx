// The stack of popups in a document: one in sight, closed by every way out, never while busy.
import { act, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { english } from '#testing/english.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { closeAllPopups, closePopup, confirm, openPopup, showTip, usePopup } from './popups.tsx';
import { PopupSheet } from './PopupSheet.tsx';
import { draw, press, settle, shownText, speak } from '../test-page.tsx';

speak(english);

function Hello({ name }: { name: string }) {
  const { close } = usePopup();
  const [isBusy, setBusy] = useState(false);
  return (
    <PopupSheet title={`Title of ${name}`} isBusy={isBusy}>
      <input aria-label={`text of ${name}`} />
      <Button onClick={() => setBusy(true)}>Pay {name}</Button>
      <Button onClick={() => openPopup(Hello, { name: 'second' })}>More of {name}</Button>
      <Button onClick={close}>Leave {name}</Button>
    </PopupSheet>
  );
}

async function open(name: string): Promise<void> {
  await act(async () => void openPopup(Hello, { name }));
  await settle();
}

const dialogs = () =>
  [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].filter((one) => !one.hasAttribute('hidden'));
const titles = () => dialogs().map((one) => one.querySelector('h2')?.textContent);

/** The browser's back button; the document's own would leave the test's page. */
function goBack(): void {
  history.replaceState({ ...history.state, popupGuard: undefined }, '');
  dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
}

beforeEach(() => void vi.spyOn(history, 'back').mockImplementation(goBack));
afterEach(async () => {
  await act(async () => closeAllPopups());
  await settle(50);
});

test('the back button closes one at a time', async () => {
  await draw(<p>page</p>);
  await open('first');
  await press('More of first');
  await act(async () => goBack());
  await settle(400);
  expect(titles()).toEqual(['Title of first']);
  await act(async () => goBack());
  await settle(400);
  expect(titles()).toEqual([]);
});

test('closing leaves no entry behind in the history', async () => {
  await draw(<p>page</p>);
  await open('first');
  expect(history.state).toMatchObject({ popupGuard: true });
  await press('Leave first');
  await settle(50);
  expect(history.back).toHaveBeenCalledOnce();
});

test('a step back that comes late closes no popup opened since', async () => {
  const step = vi.spyOn(history, 'back').mockImplementation(() => void setTimeout(goBack, 900));
  await draw(<p>page</p>);
  await open('first');
  await press('Leave first');
  await settle(600);
  await open('second');
  await settle(600);
  expect(step).toHaveBeenCalledOnce();
  expect(titles()).toEqual(['Title of second']);
  // The player's own closes it.
  expect(history.state).toMatchObject({ popupGuard: true });
  await act(async () => goBack());
  await settle(400);
  expect(titles()).toEqual([]);
});

test('two popups closed while one step back is on its way are one step, not two', async () => {
  const step = vi.spyOn(history, 'back').mockImplementation(() => void setTimeout(goBack, 900));
  await draw(<p>page</p>);
  await open('first');
  await press('Leave first');
  await settle(300);
  await open('second');
  await press('Leave second');
  await settle(900);
  expect(step).toHaveBeenCalledOnce();
  expect(history.state).not.toMatchObject({ popupGuard: true });
});

test('going elsewhere in the same breath is not undone', async () => {
  await draw(<p>page</p>);
  await open('first');
  await act(async () => {
    closePopup();
    history.pushState({}, '', '/my');
  });
  await settle(50);
  expect(history.back).not.toHaveBeenCalled();
});

test('shows the last one, and the one before again after it', async () => {
  await draw(<p>page</p>);
  await open('first');
  expect(titles()).toEqual(['Title of first']);
  await press('More of first');
  await settle(400);
  expect(titles()).toEqual(['Title of second']);
  await press('Leave second');
  await settle(1200);
  expect(titles()).toEqual(['Title of first']);
});

test('Escape closes it', async () => {
  await draw(<p>page</p>);
  await open('first');
  await act(async () => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  });
  await settle(400);
  expect(titles()).toEqual([]);
});

test('one that opened by itself gives the focus to nothing: no link comes out at the top of the page', async () => {
  await draw(<a href="#main">Skip</a>);
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  await open('first');
  document.querySelector<HTMLElement>('[role="dialog"] input')?.focus();
  await press('Leave first');
  await settle(400);
  expect(document.activeElement).toBe(document.body);
});

test('no player closes a busy one, its own work does', async () => {
  await draw(<p>page</p>);
  await open('first');
  await press('Pay first');
  await act(async () => {
    closePopup();
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  });
  await act(async () => goBack());
  await press('Close');
  await settle(400);
  expect(titles()).toEqual(['Title of first']);
  await press('Leave first');
  await settle(400);
  expect(titles()).toEqual([]);
});

test('confirm answers yes by its button only', async () => {
  await draw(<p>page</p>);
  const ask = () => confirm({ title: 'Sure?', text: 'Really', cancel: 'No', confirm: 'Yes' });
  let answers: boolean[] = [];
  const asked = async (button: string) => {
    await act(async () => void ask().then((answer) => (answers = [...answers, answer])));
    // The first time its code is on the way.
    for (let tries = 0; tries < 40 && !shownText().includes('Really'); tries += 1) await settle(50);
    expect(shownText()).toContain('Really');
    await press(button);
    await settle(1200);
  };
  await asked('Yes');
  await asked('No');
  await asked('Close');
  expect(answers).toEqual([true, false, false]);
});

test('L53 a tip shows its text as it is', async () => {
  await draw(<p>page</p>);
  await act(async () => showTip({ title: 'Plain', text: '<b>as typed</b>', close: 'Close it' }));
  for (let tries = 0; tries < 40 && !shownText().includes('as typed'); tries += 1) await settle(50);
  expect(shownText()).toContain('<b>as typed</b>');
  await act(async () => closePopup());
});
