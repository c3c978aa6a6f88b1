// Names of the people who work with the shop, and what their systems called.
import type { Belongs, End, PersonalTable } from '../personal-data-types.ts';
import { ORDER, list } from './words.ts';

const byOperator = (column: string): Belongs => ({ by: 'operator', column });
const OPERATOR: End = { how: 'operator' };
const NO_PLAYER = 'names no player';

export const OF_OPERATORS: Readonly<Record<string, PersonalTable>> = {
  audit_entry: {
    purpose: 'every act of a person in the shop, as proof',
    belongs: [ORDER, byOperator('actor')],
    ends: [{ how: 'books' }],
    onErasure: 'keep',
    columns: {
      details: { is: 'what was done', onErasure: 'keep', because: 'proof; what names the player becomes our own id' },
    },
    otherColumns: list('id at act'),
  },
  archived_month: {
    purpose: 'which months of orders are in files, and who put them there',
    belongs: [byOperator('archived_by')],
    ends: [{ how: 'books' }],
    onErasure: 'keep',
    columns: {},
    otherColumns: list('month from_no to_no folder manifest_sha256 orders archived_at'),
  },
  configuration: {
    purpose: 'who applied the configuration that runs',
    belongs: [byOperator('applied_by')],
    ends: [OPERATOR],
    onErasure: 'keep',
    columns: {},
    otherColumns: list('id revision applied_at'),
  },
  configuration_history: {
    purpose: 'who changed prices and texts, and back',
    belongs: [byOperator('applied_by')],
    ends: [OPERATOR],
    onErasure: 'keep',
    columns: {},
    otherColumns: list('revision applied_at summary files'),
  },
  gift_card_batch: {
    purpose: 'who issued prepaid cards',
    belongs: [byOperator('issued_by')],
    ends: [{ how: 'books' }],
    onErasure: 'keep',
    columns: {},
    otherColumns: list(
      'batch_id brand_key channel game_id product_id face_minor currency gems_number extra_gems valid_from ' +
        'valid_to created_at',
    ),
  },
  beta_key: {
    purpose: 'beta users of the operator, by a label',
    belongs: [byOperator('issued_by')],
    ends: [OPERATOR],
    onErasure: 'keep',
    columns: {
      key_hash: { is: 'SHA-256 of the key', isSecret: true, onErasure: 'keep', because: NO_PLAYER },
      label: { is: 'who holds it, in the words of an operator', onErasure: 'keep', because: NO_PLAYER },
    },
    otherColumns: list('beta_id brand_key created_at expires_at revoked_at'),
  },
  admin_key: {
    purpose: "keys of the operator's systems",
    belongs: [byOperator('created_by')],
    ends: [OPERATOR],
    onErasure: 'keep',
    columns: {
      name: { is: 'name of the key, as audit lines have it', onErasure: 'keep', because: NO_PLAYER },
      secret_hash: { is: 'hash of its secret', isSecret: true, onErasure: 'keep', because: NO_PLAYER },
    },
    otherColumns: list('key_id scopes created_at expires_at revoked_at seen_at'),
  },
  admin_call: {
    purpose: 'a call of the admin API that is repeated is carried out once',
    belongs: [],
    ends: [{ how: 'rows', keep: 'calls', since: 'the call' }],
    onErasure: 'keep',
    columns: {
      answer: {
        is: 'what was answered, with names of players',
        onErasure: 'keep',
        because: 'goes by itself within a day',
      },
    },
    otherColumns: list('key_id call_id fingerprint status at'),
  },
  webhook_endpoint: {
    purpose: 'systems of the operator that hear of orders',
    belongs: [byOperator('created_by')],
    ends: [OPERATOR],
    onErasure: 'keep',
    columns: {
      secret_hash: { is: 'hash of its secret', isSecret: true, onErasure: 'keep', because: NO_PLAYER },
      previous_hash: { is: 'hash of the secret before', isSecret: true, onErasure: 'keep', because: NO_PLAYER },
    },
    otherColumns: list('endpoint_id url types brand_key secret_no previous_until created_at failing_since disabled_at'),
  },
};
