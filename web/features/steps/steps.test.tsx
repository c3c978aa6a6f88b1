// The step bar: which step is the present one, and which lead back.
import { expect, test } from 'vitest';
import { CLASSIC_STEPS } from '#contracts/documents.ts';
import { english } from '#testing/english.ts';
import { memoryAddresses } from '#web/platform/router/history.ts';
import { createRouter } from '#web/platform/router/router.ts';
import { RouterProvider } from '#web/platform/router/Router.tsx';
import { draw, press, speak } from '#web/platform/test-page.tsx';
import { StepBar } from './StepBar.tsx';
import { findStep, STEPS } from './steps.ts';

speak(english);

async function drawAt(path: string) {
  const addresses = memoryAddresses(`${path}?client_id=1&billing_no=B1`);
  const router = createRouter({ pageOf: () => null, leadOn: () => null }, { addresses });
  await router.load();
  await draw(
    <RouterProvider router={router}>
      <StepBar path={path} />
    </RouterProvider>,
  );
  return router;
}

const items = () => [...document.querySelectorAll('li')];
const LABELS = ['Select game', 'Character & goods', 'Recharge', 'Result'];

test('L49 the four steps are those of the router, in order', () => {
  expect(STEPS.map((step) => step.path)).toEqual(CLASSIC_STEPS);
  expect(['/replenishGoods', '/my', '/', '/recharge/x'].map(findStep)).toEqual([null, null, null, null]);
});

test.each([1, 2, 3, 4])('L49 at step %i those before are done and lead back, those after do not', async (now) => {
  await drawAt(CLASSIC_STEPS[now - 1] ?? '');
  expect(items().map((item) => item.textContent?.replace(/\s*\(done\)/, ''))).toEqual(LABELS);
  expect(items().map((item) => item.getAttribute('aria-current'))).toEqual(
    LABELS.map((_, index) => (index === now - 1 ? 'step' : null)),
  );
  expect(items().map((item) => item.querySelector('a') !== null)).toEqual(LABELS.map((_, index) => index < now - 1));
  expect(document.querySelector('nav')?.getAttribute('aria-label')).toBe('Steps of your purchase');
});

test('L49 a step back leaves the number of the order behind, not the rest of the address', async () => {
  const router = await drawAt('/result');
  await press('Recharge');
  expect(router.place.href).toBe('/recharge?client_id=1');
});
