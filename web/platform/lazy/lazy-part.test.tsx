// Parts whose code got lost: what stands in their place, and the ways on.
import { startTransition, Suspense, useEffect, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { english } from '#testing/english.ts';
import { Boundary, LostPage } from './Boundary.tsx';
import { createLater } from './later.ts';
import { lazyPart } from './lazy-part.ts';
import { openPopup } from '../popups/popups.tsx';
import { appear, draw, press, settle, shownText, speak } from '../test-page.tsx';

speak(english);

const lost = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

/** A part that comes at the given try, with how often it was asked for. */
function comesAt(turn: number) {
  const load = vi.fn<() => Promise<() => React.ReactNode>>().mockResolvedValue(() => <p>here it is</p>);
  for (let tries = 1; tries < turn; tries += 1) load.mockImplementationOnce(lost);
  return { load, Part: lazyPart(load) };
}

test('a popup that got lost leaves the page, says so, and comes at the next try', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { load, Part } = comesAt(2);
  await draw(<p>shop</p>);
  openPopup(Part, {});
  await appear('Try again');
  expect(shownText()).toContain('shop');
  expect(shownText()).toContain('This part did not load');
  expect(shownText()).not.toContain('Reload the page');
  await press('Try again');
  await settle(350);
  expect(shownText()).toContain('here it is');
  expect(shownText()).not.toContain('did not load');
  expect(load).toHaveBeenCalledTimes(2);
});

test('a second loss offers a reload as well; the popup can be closed', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { Part } = comesAt(9);
  await draw(<p>shop</p>);
  openPopup(Part, {});
  await appear('Try again');
  await press('Try again');
  expect(await appear('Reload the page')).toBeTruthy();
  await press('Close');
  await settle(1200);
  expect(shownText()).not.toContain('did not load');
  expect(shownText()).toContain('shop');
});

test('without a line no reload is offered', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { Part } = comesAt(9);
  await draw(<p>shop</p>);
  openPopup(Part, {});
  await appear('Try again');
  await press('Try again');
  await settle(350);
  expect(shownText()).toContain('This part did not load');
  expect(shownText()).not.toContain('Reload the page');
  vi.restoreAllMocks();
});

test('a page that breaks leaves what stands beside it', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let isBroken = true;
  const Broken = () => {
    if (isBroken) throw new Error('broken');
    return <p>mended</p>;
  };
  await draw(
    <>
      <Boundary fallback={(one) => <LostPage lost={one} />}>
        <Broken />
      </Boundary>
      <p>beside</p>
    </>,
  );
  expect(shownText()).toContain('beside');
  expect(shownText()).toContain('This part did not load');
  isBroken = false;
  await press('Try again');
  expect(shownText()).toContain('mended');
});

test('a part fetched ahead is there at once; fetching ahead never fails', async () => {
  const { load, Part } = comesAt(2);
  await Part.preload();
  await Part.preload();
  expect(load).toHaveBeenCalledTimes(2);
  await draw(<Part />);
  expect(shownText()).toContain('here it is');
  expect(load).toHaveBeenCalledTimes(2);
});

test('a later part that got lost is asked for again when the line is back', async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new TypeError('lost')).mockResolvedValue('code');
  const later = createLater(load);
  const Show = () => {
    const module = later.useModule();
    const losses = later.useLosses();
    return <p>{module ?? (losses > 0 ? 'lost' : 'coming')}</p>;
  };
  await draw(<Show />);
  expect(shownText()).toContain('coming');
  later.warm();
  await settle();
  expect(shownText()).toContain('lost');
  dispatchEvent(new Event('online'));
  await settle();
  expect(shownText()).toContain('code');
  expect(load).toHaveBeenCalledTimes(2);
});

test('a part keeps its state when it is drawn again, however fast its code came the first time', async () => {
  const mounted = vi.fn<() => void>();
  const Part = lazyPart(() =>
    Promise.resolve(() => {
      useEffect(mounted, []);
      return <p>below</p>;
    }),
  );
  function Page() {
    const [turn, setTurn] = useState(0);
    return (
      <Suspense>
        <button type="button" onClick={() => startTransition(() => setTurn(turn + 1))}>
          Turn {turn}
        </button>
        {turn > 0 && <Part />}
      </Suspense>
    );
  }
  await draw(<Page />);
  await press('Turn 0');
  await appear('below', 'p');
  await press('Turn 1');
  await appear('Turn 2');
  expect(mounted).toHaveBeenCalledTimes(1);
});
