// One thing that `refill doctor` looked at, and what it found.
import type { Finding } from '#server/platform/settings/finding.ts';

export type Look = {
  /** The area of the look, in the order in which a shop comes to life. */
  readonly area:
    | 'settings'
    | 'storefront'
    | 'limits'
    | 'database'
    | 'clock'
    | 'machine'
    | 'games'
    | 'providers'
    | 'hosts'
    | 'work';
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'fault';
  /** A clause behind the name. */
  readonly said: string;
  /** Advises the operator; null when all is well. */
  readonly remedy: string | null;
};

export const well = (area: Look['area'], name: string, said: string): Look => ({
  area,
  name,
  state: 'ok',
  said,
  remedy: null,
});

export const ill = (area: Look['area'], state: 'warning' | 'fault', finding: Finding): Look => ({
  area,
  name: finding.name,
  state,
  said: finding.reason,
  remedy: finding.remedy,
});
