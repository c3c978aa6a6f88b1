// The provider's window: opened on the press, cut off from us, navigated later.
import { expect, test, vi } from 'vitest';
import { openPayLink, openPayWindow } from './pay-window.ts';

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
  expect(open).toHaveBeenCalledWith('about:blank', '_blank');
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

test('a known link opens without an opener', () => {
  const open = vi.fn<() => null>(() => null);
  openPayLink('https://pay.example/1', { open });
  expect(open).toHaveBeenCalledWith('https://pay.example/1', '_blank', 'noopener,noreferrer');
});
