// Declares promo codes for the modules that place and price orders. Pure types.
import type { PROMO_REASONS } from '#contracts/codes.ts';

/**
 * A promo code as the database prices and counts it, for one order: amounts are minor units of the order's currency,
 * times ISO 8601. Neither `rate` nor `off_minor`: no discount, the code names a creator.
 */
export type PromoTerms = {
  readonly code: string;
  /** "0.9" is a tenth off. */
  readonly rate?: string;
  readonly off_minor?: number;
  readonly min_spend_minor?: number;
  readonly total?: number;
  readonly per_player?: number;
  readonly is_first?: boolean;
  readonly valid_from?: string;
  readonly valid_end?: string;
  readonly creator?: string;
  /** Basis points of what is paid. */
  readonly share_bp?: number;
};

/** Why a code does not work. @source sql/promo_refusal.sql, and rules.ts for what the files say */
export type PromoRefusal = (typeof PROMO_REASONS)[number];
