// Visits, faults, and what is counted by address before anybody is known.
import type { PersonalTable } from '../personal-data-types.ts';
import { list } from './words.ts';

export const OF_VISITS: Readonly<Record<string, PersonalTable>> = {
  track_call: {
    purpose: 'how visits go, where the brand measures it and the visitor agreed',
    belongs: [
      { by: 'browser', column: 'uuid' },
      { by: 'browser', column: 'did' },
      { by: 'browser', column: 'session_id' },
    ],
    ends: [{ how: 'rows', keep: 'visits', since: 'it arrived' }],
    onErasure: 'keep',
    columns: {
      events: {
        is: 'moments of the visit: goods, method, never a name',
        onErasure: 'keep',
        because: 'leads to nobody',
      },
      traffic_source: { is: 'where the visit came from', onErasure: 'keep', because: 'leads to nobody' },
    },
    otherColumns: list('call_no brand_key app_id event_id session_time received_at'),
  },
  error_report: {
    purpose: 'faults that pages met',
    belongs: [],
    ends: [{ how: 'rows', keep: 'reports', since: 'it arrived' }],
    onErasure: 'keep',
    columns: { note: { is: "the visitor's own words", onErasure: 'keep', because: 'nobody knows whose they are' } },
    otherColumns: list('reference brand_key kind path code page language build at received_at request'),
  },
  rate_limit: {
    purpose: 'refusing floods of calls',
    belongs: [{ by: 'address', column: 'key' }],
    ends: [{ how: 'soon', within: 'within the span that it counts, an hour at most' }],
    onErasure: 'keep',
    columns: {},
    otherColumns: list('points expire'),
  },
};
