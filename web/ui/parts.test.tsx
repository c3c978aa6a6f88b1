// The parts that do something by themselves: tabs by keys, the countdown's end, the eye of a password, a busy button.
import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Button } from './controls/Button.tsx';
import { Countdown } from './figures/Countdown.tsx';
import { Field } from './controls/Field.tsx';
import { Signed } from './figures/Signed.tsx';
import { Tabs } from './controls/Tabs.tsx';

let root: Root;

async function draw(node: React.ReactNode): Promise<void> {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(async () => root.render(node));
}

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  document.documentElement.dir = '';
  vi.useRealTimers();
});

function TwoTabs() {
  const [chosen, choose] = useState<'a' | 'b' | 'c'>('a');
  const tabs = [
    { key: 'a', label: 'A' },
    { key: 'b', label: 'B' },
    { key: 'c', label: 'C' },
  ] as const;
  return (
    <Tabs label="Letters" tabs={tabs} chosen={chosen} onChoose={choose}>
      shows {chosen}
    </Tabs>
  );
}

const selected = () => document.querySelector('[aria-selected="true"]');
const key = (name: string) =>
  act(async () => void selected()?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })));

test('tabs move by keys, round the end, and take the focus along', async () => {
  await draw(<TwoTabs />);
  await key('ArrowRight');
  expect([selected()?.textContent, document.activeElement?.textContent]).toEqual(['B', 'B']);
  await key('End');
  await key('ArrowRight');
  expect(document.querySelector('[role="tabpanel"]')?.textContent).toBe('shows a');
  await key('ArrowLeft');
  expect(selected()?.textContent).toBe('C');
  // One stop for the tab key.
  expect(document.querySelectorAll('[role="tab"][tabindex="0"]')).toHaveLength(1);
});

test('the countdown shows minutes and seconds and ends once', async () => {
  const onEnd = vi.fn<() => void>();
  await draw(<Countdown endsAt={61_000} label="Time left" minutesLabel="min" secondsLabel="s" onEnd={onEnd} />);
  const shown = () => document.querySelector('[role="timer"]')?.textContent;
  expect(shown()).toBe('1min01s');
  await act(async () => void vi.advanceTimersByTime(2000));
  expect(shown()).toBe('0min59s');
  await act(async () => void vi.advanceTimersByTime(120_000));
  expect(shown()).toBe('0min00s');
  expect(onEnd).toHaveBeenCalledOnce();
});

test('a tab that slept is right at its first tick', async () => {
  const onEnd = vi.fn<() => void>();
  await draw(<Countdown endsAt={600_000} label="Time left" minutesLabel="min" secondsLabel="s" onEnd={onEnd} />);
  vi.setSystemTime(700_000);
  await act(async () => void vi.advanceTimersByTime(1000));
  expect(onEnd).toHaveBeenCalledOnce();
});

test('the eye shows the password and hides it again', async () => {
  await draw(<Field label="Password" value="x" onChange={() => {}} eye={{ show: 'Show', hide: 'Hide' }} />);
  const type = () => document.querySelector('input')?.type;
  const eye = () => document.querySelector('button');
  expect([type(), eye()?.getAttribute('aria-label')]).toEqual(['password', 'Show']);
  await act(async () => eye()?.click());
  expect([type(), eye()?.getAttribute('aria-label')]).toEqual(['text', 'Hide']);
});

test('a field says what is wrong to a reader as well', async () => {
  await draw(<Field label="Card" value="1" onChange={() => {}} fault="Too short" />);
  const input = document.querySelector('input');
  expect(input?.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(input?.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Too short');
});

test('a hint is read out with the field, beside what is wrong', async () => {
  const eye = { show: 'Show', hide: 'Hide' };
  await draw(<Field label="Card" value="1" onChange={() => {}} hint="On the back" fault="Too short" eye={eye} />);
  const words = (selector: string) =>
    (document.querySelector(selector)?.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent);
  expect(words('input')).toEqual(['On the back', 'Too short']);
  // Of two eyes in one form each says whose it is.
  expect(words('button')).toEqual(['Card']);
});

test('a busy button takes no press and keeps the focus', async () => {
  const onClick = vi.fn<() => void>();
  await draw(
    <Button isBusy onClick={onClick}>
      Pay
    </Button>,
  );
  const button = document.querySelector('button');
  button?.focus();
  await act(async () => button?.click());
  expect(onClick).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(button);
});

test('a signed number keeps its sign before it in a line of any script', async () => {
  await draw(<Signed text="+20 بلورات, -5% and 1-2" />);
  const parts = [...document.querySelectorAll('bdi')];
  expect(parts.map((part) => [part.dir, part.textContent])).toEqual([
    ['ltr', '+20'],
    ['ltr', '-5%'],
  ]);
  expect(document.body.textContent).toBe('+20 بلورات, -5% and 1-2');
});
