// For how many days rows about persons are kept, and within which bounds a brand may choose. No legal advice: the
// figures are those that the laws named beside them give, or ours where a law says only "no longer than needed".
// Whoever runs a shop asks a lawyer of the countries it sells in.

/** One end of a bound. `law`: which one gives the figure, with its source; left out: the figure is ours. */
type Bound = { readonly days: number; readonly because: string; readonly law?: string; readonly source?: string };

export type Bounds = { readonly least: Bound; readonly most: Bound };

type Span = {
  /** When the brand says nothing, and of rows that belong to no brand. */
  readonly days: number;
  readonly about: string;
  /** Null: the same for all brands. */
  readonly bounds: Bounds | null;
};

/**
 * These laws forbid keeping data that is needed no more; none of them gives a figure.
 * @source GDPR 5(1)(e): https://eur-lex.europa.eu/eli/reg/2016/679/oj
 * @source PIPA (Korea) 21(1), "without delay": https://prighter.com/resources/laws/korean-pipa/main/articles/article-21
 * @source APPI (Japan) 22, until 2022 article 19, "without delay":
 * https://www.japaneselawtranslation.go.jp/en/laws/view/4241
 * @source CCPA (California) 1798.100(a)(3):
 * https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=CIV&sectionNum=1798.100
 */
const STORAGE_LIMITATION =
  'GDPR 5(1)(e), PIPA 21(1), APPI 22 and CCPA 1798.100(a)(3) let nobody keep what is needed no more, and give ' +
  'no figure';
const GDPR = 'https://eur-lex.europa.eu/eli/reg/2016/679/oj';
/** @source Visa Core Rules, "Dispute Time Limits": 540 days after the transaction at most */
const LONGEST_DISPUTE = {
  days: 540,
  because: 'no card dispute begins later than 540 days after the payment',
  source: 'https://usa.visa.com/support/consumer/visa-rules.html',
};

export const RETENTION = {
  sessions: {
    days: 14,
    about: 'sessions after they were ended',
    bounds: {
      least: { days: 1, because: 'support must see how a session of yesterday ended' },
      most: { days: 365, because: STORAGE_LIMITATION, source: GDPR },
    },
  },
  cardTries: {
    days: 30,
    about: 'tries with prepaid cards, with network address',
    bounds: {
      least: { days: 1, because: 'whoever guesses the numbers of cards is found by the tries of a day' },
      most: { days: 365, because: STORAGE_LIMITATION, source: GDPR },
    },
  },
  callbacks: {
    days: 90,
    about: 'callbacks of payment providers, masked, and samples of refused ones',
    bounds: {
      least: { days: 7, because: 'providers repeat callbacks for days, and a repeated one must be known' },
      most: LONGEST_DISPUTE,
    },
  },
  exchanges: {
    days: 90,
    about: 'what was sent to payment providers and answered, masked',
    bounds: {
      least: { days: 7, because: 'a payment may stay open for days, and support reads why' },
      most: LONGEST_DISPUTE,
    },
  },
  reports: {
    days: 90,
    about: 'faults that pages told, with the words of visitors',
    bounds: {
      least: { days: 1, because: 'a visitor who quotes the number of a report must be understood' },
      most: { days: 365, because: STORAGE_LIMITATION, source: GDPR },
    },
  },
  visits: {
    days: 396,
    about: 'moments of visits, where the brand measures them',
    bounds: {
      least: { days: 1, because: 'the export reads what the day before brought' },
      most: {
        days: 760,
        because: 'what measures an audience is kept for 25 months at most',
        law: 'CNIL, guidelines on cookies and other trackers, article 5',
        source: 'https://www.cnil.fr/en/sheet-ndeg16-use-analytics-your-websites-and-applications',
      },
    },
  },
  idempotency: { days: 7, about: 'answers of pay calls, for calls that are repeated', bounds: null },
  webhooks: { days: 30, about: "messages to the operator's own systems", bounds: null },
  devices: { days: 180, about: 'browsers that logged in well, by a hash', bounds: null },
  // Not thirty days as tries with cards: these rows hold secrets of a login and hashes, no address; nothing reads them
  // once they ran out, and the next login of the account clears some of them away itself.
  logins: {
    days: 1,
    about: 'logins under way, links and counts of failed logins, after they ran out: nothing reads them any more',
    bounds: null,
  },
  calls: { days: 1, about: 'calls of the admin API', bounds: null },
} as const satisfies Readonly<Record<string, Span>>;

export type RetentionName = keyof typeof RETENTION;

/** Those that a brand may choose. */
export type BrandRetentionName = {
  [Name in RetentionName]: (typeof RETENTION)[Name]['bounds'] extends null ? never : Name;
}[RetentionName];

export const BRAND_RETENTION = Object.keys(RETENTION).filter(
  (name): name is BrandRetentionName => RETENTION[name as RetentionName].bounds !== null,
);

export type Retention = Partial<Readonly<Record<BrandRetentionName, number>>>;

/** How long books must be kept: the reason why orders, ledger and audit outlive the person's data in them. */
export const BOOKS_KEPT = [
  {
    where: 'Korea',
    years: 5,
    law:
      'Enforcement Decree of the Act on the Consumer Protection in Electronic Commerce, article 6(1): contracts, ' +
      'payment and supply; complaints and disputes 3 years',
    source: 'https://elaw.klri.re.kr/eng_mobile/viewer.do?hseq=51280&type=part&key=28',
  },
  {
    where: 'Japan',
    years: 7,
    law:
      'Ordinance for Enforcement of the Corporation Tax Act, articles 59 and 67; 10 years for a year with a loss ' +
      'that is carried on',
    source: 'https://www.nta.go.jp/taxes/shiraberu/taxanswer/hojin/5930.htm',
  },
  {
    where: 'Japan, stored balances and prepaid cards',
    years: 10,
    law:
      'Payment Services Act, article 22, and Cabinet Office Order on Prepaid Payment Instruments, article 46: ' +
      'books of what was issued and used, from the day they are closed',
    source: 'https://www.japaneselawtranslation.go.jp/en/laws/view/4477',
  },
  {
    where: 'Germany',
    years: 10,
    law: 'Commercial Code 257, Fiscal Code 147: books 10 years, vouchers 8',
    source: 'https://www.gesetze-im-internet.de/hgb/__257.html',
  },
  {
    where: 'France',
    years: 10,
    law: 'Commercial Code L123-22',
    source: 'https://www.legifrance.gouv.fr/codes/texte_lc/LEGITEXT000005634379',
  },
  {
    where: 'United States',
    years: 7,
    law: 'IRS, "How long should I keep records?": 3 to 7 years by case',
    source: 'https://www.irs.gov/businesses/small-businesses-self-employed/how-long-should-i-keep-records',
  },
] as const;
