// The provider's window: opened on the press, cut off from us, navigated later.
import { beforeEach, expect, test, vi } from 'vitest';
import type { PageData } from '#contracts/boot.ts';
import { setBoot } from '#web/platform/boot.ts';
import { followPayLink, openPayWindow } from './pay-window.ts';

beforeEach(() => setBoot({ isInApp: false } as PageData));

const fakeWindow = () => ({
  opener: window as unknown,
  closed: false,
  location: { replace: vi.fn<() => void>() },
  close: vi.fn<() => void>(),
});

test('the window loses its way back before it is sent anywhere', () => {
  const opened = fakeWindow();
  const open = vi.fn<() => Window>(() => opened as unknown as Window);
  const pay = openPayWindow({ open });
  expect(open).toHaveBeenCalledWith('', '_blank', undefined);
  expect(opened.opener).toBeNull();
  expect(opened.location.replace).not.toHaveBeenCalled();
  expect(pay.go('https://pay.example/1')).toBe(true);
  expect(opened.location.replace).toHaveBeenCalledWith('https://pay.example/1');
});

test('a blocked window says so, and dropping it does nothing', () => {
  const pay = openPayWindow({ open: () => null });
  expect(pay.go('https://pay.example/1')).toBe(false);
  expect(() => pay.drop()).not.toThrow();
});

test('a view with one window, which answers the page itself, lets the page go', () => {
  const assign = vi.fn<() => void>();
  const open = vi.fn<() => Window>(() => window);
  followPayLink(press(), 'https://pay.example/1', { open }, assign);
  expect(assign).toHaveBeenCalledWith('https://pay.example/1');
  // An address would lead this very page away.
  expect(open.mock.calls).toEqual([['', '_blank', undefined]]);
});

test('inside an app nothing is opened at all', () => {
  setBoot({ isInApp: true } as PageData);
  const open = vi.fn<() => Window>();
  expect(openPayWindow({ open }).isRefused).toBe(true);
  expect(open).not.toHaveBeenCalled();
});

test('a window that the player closed is not sent anywhere', () => {
  const opened = fakeWindow();
  const pay = openPayWindow({ open: () => opened as unknown as Window });
  opened.closed = true;
  expect(pay.go('https://pay.example/1')).toBe(false);
  pay.drop();
  expect(opened.close).not.toHaveBeenCalled();
});

test('an empty window is closed again', () => {
  const opened = fakeWindow();
  openPayWindow({ open: () => opened as unknown as Window }).drop();
  expect(opened.close).toHaveBeenCalledOnce();
});

const press = (more: object = {}) => ({
  button: 0,
  metaKey: false,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  preventDefault: vi.fn<() => void>(),
  ...more,
});

test('a second press meanwhile gets the same window, so no spare one is left over', () => {
  const opened = fakeWindow();
  const open = vi.fn<() => Window>(() => opened as unknown as Window);
  const first = openPayWindow({ open });
  const second = openPayWindow({ open });
  expect(open).toHaveBeenCalledOnce();
  expect(first.go('https://pay.example/1')).toBe(true);
  second.drop();
  expect(opened.close).not.toHaveBeenCalled();
  // Once it is on its way the next press gets one of its own.
  openPayWindow({ open }).drop();
  expect(open).toHaveBeenCalledTimes(2);
});

test('a press on the link opens a window, without a way back to us', () => {
  const opened = fakeWindow();
  const assign = vi.fn<() => void>();
  const one = press();
  followPayLink(one, 'https://pay.example/1', { open: () => opened as unknown as Window }, assign);
  expect(one.preventDefault).toHaveBeenCalledOnce();
  expect([opened.opener, assign.mock.calls]).toEqual([null, []]);
  expect(opened.location.replace).toHaveBeenCalledWith('https://pay.example/1');
});

test('where no window opens, the page itself goes to the provider', () => {
  const assign = vi.fn<() => void>();
  followPayLink(press(), 'https://pay.example/1', { open: () => null }, assign);
  expect(assign).toHaveBeenCalledWith('https://pay.example/1');
});

test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }])(
  'a press with %j is the browser’s own',
  (more) => {
    const open = vi.fn<() => null>(() => null);
    const assign = vi.fn<() => void>();
    const one = press(more);
    followPayLink(one, 'https://pay.example/1', { open }, assign);
    expect([one.preventDefault.mock.calls, open.mock.calls, assign.mock.calls]).toEqual([[], [], []]);
  },
);
