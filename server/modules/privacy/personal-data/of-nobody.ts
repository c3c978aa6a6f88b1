// Tables that hold nothing about persons. A new column of one is named here, or the table moves to another file.
import type { ImpersonalTable } from '../personal-data-types.ts';
import { list } from './words.ts';

const none = (because: string, columns: string): ImpersonalTable => ({ because, columns: list(columns) });

export const OF_NOBODY: Readonly<Record<string, ImpersonalTable>> = {
  ledger_archived: none(
    'sums of the books of months that are in files',
    'month at brand_key game_id country method provider kind account currency entries amount_minor discount_minor',
  ),
  backup_record: none('the newest backup, one row', 'is_the_row taken_at kind bytes'),
  configuration_file: none('files of the operator: brands, games, channels', 'kind key body'),
  guard_key: none('the key of hashes, made by the database', 'is_only key'),
  invariant_check: none(
    'the last look at the books; breaches name orders by number',
    'is_the_row taken_at checked_at changes_at full_at full_on_replica breaches',
  ),
  order_transition: none('the same few rows for every shop', 'from_state to_state'),
  picture_file: none('pictures of games and brands', 'hash media_type bytes unused_since'),
  product_stock: none('one number over all players', 'game_id product_id total used'),
  promo_code: none('one number over all players', 'brand_key code used total per_player is_first'),
  retention_end: none('when each kind of row was ended last', 'what taken_at done_at ended days reached'),
  running_process: none('which processes of the shop run', 'process_id role host connections started_at seen_at'),
  schema_left_over: none('names of functions that this version dropped', 'signature'),
  schema_migration: none('which migrations ran', 'name sha256 applied_at'),
  schema_repeatable: none('which functions and views are in force', 'name sha256 version applied_at'),
  shop_environment: none('one row: live or demo', 'is_only environment'),
  storefront_file: none('built files of the storefront', 'path body seen_at'),
  table_exception: none('names of tables', 'table_name reason'),
  wallet_nonce: none("numbers that an operator's system made up, for a quarter of an hour", 'nonce at'),
};
