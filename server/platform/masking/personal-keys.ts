// Which keys of somebody else's message hold a person's data, by what payment providers call them in their public
// documents. A key is read as its words: `shopperIP`, `shopper_ip` and `shopper[ip]` are all "shopper-ip".

/** Words of keys that always tell of a person, or open a door. Between two hyphens stands one word. */
const PERSONAL_WORDS = new RegExp(
  [
    // Ways to reach somebody.
    'mail', 'phone', '(mobile|cell)-?(no|num|number)?-$', '-(buyer|cust|customer|payer|user|parent)?-?tel-', 'msisdn', '-fax-', '-hpp-?num',
    // Names; those of products, methods and merchants are called otherwise.
    '(first|last|given|middle|full|family|sur|nick|login|logon|screen|display|holder|owner|buyer|payer|customer|purchaser|shopper|consumer|recipient|receiver|sender|person|contact|depositor|input|beneficiary|parent|guardian)-?name',
    '-user-?name', '-uname-', '-kana-', 'cardholder', 'account-?holder', '-logon-',
    // Addresses and places of a person.
    '(client|user|shopper|customer|payer|buyer|remote|device|browser|request|real)-?ip-', '-ip-', '-ip-?v[46]', '-ip-?addr', 'address', '-addr-', 'street', 'postal', 'post-?code', '-zip-',
    'zip-?code', 'house-?number', '-city-', '-suburb-', '-district-', '-province-', 'admin-area', 'latitude', 'longitude', '-(lat|lng|lon|gps)-', 'geo-?location',
    // Cards and accounts of the payer.
    'card-?(no|num|number|bin|summary|identifier|fingerprint|alias|pan)-', '-(pan|bin|iin|cvc2?|cvv2?)-', 'last-?(4|four|digits)', 'first-?(6|six)-', 'exp(iry|iration|ire)?-?(month|year)',
    'card-?exp', '-expiry-date-', '-iban-', 'bank-?account', 'account-?(no|num|number)-', '-vpa-', 'pix-?key', 'va(ct)?-?(num|name)',
    // Secrets, though no provider should send one.
    'passw(or)?d', '^-token-$', '-(access|refresh|oauth)-?token-', '-secret-', 'api-?key', '^-(authorization|cookie)-$',
    // Personal facts, and numbers that the state gives.
    'birth', '-dob-', '-gender-', '-(cpf|cnpj|rut|dni|curp|rfc|ssn|passport|nric)-', '-document', 'national-?id', 'tax-?(id|number)', 'identi(fication|ty)', '-id-?card-',
    // Numbers of persons at the provider. Ours are UUIDs, which stay.
    '(payer|buyer|customer|shopper|consumer|user|member|open|union)-?(user-)?-?(id|key|ref|reference|no|number)-',
    // Devices of a person.
    'user-?agent', 'device-?(id|info|finger-?print|token|data)', 'finger-?print', '-(idfa|imei|mac)-', 'browser-?info', 'accept-?header',
  ].join('|'),
); /* a kind a line */ // prettier-ignore

/** Of the merchant: shops, their accounts and what we gave them as ours. */
const OF_MERCHANT = /-(merchant|seller|payee|partner)-/;
/** Even of the merchant these are left out, for they may be a person's. */
const REACHES_SOMEBODY = /mail|phone|-tel-|address|-ip-/;

/** Everything inside of these is a person's, but for `NEUTRAL`; so is everything inside of a personal key. */
const PERSON =
  /-(payer|buyer|customer|cust|shopper|consumer|user|person|recipient|receiver|holder|owner|contact|beneficiary|sender|payment-source|identify|guardian)-((info|details|data|profile|contact)-)?$/;
/** Inside of these only the words below are a person's. */
const CARD = /-(card|bank-account|bank-info|pay-account)-((info|details|data)-)?$/;
const OF_CARD = /-(name|holder|number|no|num|expir[a-z]*(-date)?|bin)-$/;

/** Tells of nobody, and support needs it. */
const NEUTRAL =
  /-(country|country-code|region|currency|currency-code|amount|locale|language|lang|type|status|brand|scheme|network|method|processor|acquirer|issuer-country|tax-status|verification-status|created-at|updated-at|create-time|update-time|flow|mode)-$/;

/** A key as the rules above read it: "-shopper-ip-". */
export function wordsOf(key: string): string {
  const words = key
    .slice(0, 100)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `-${words}-`;
}

/** The surroundings of a value: below a person, below a card, or in the open. */
export type Place = 'open' | 'card' | 'person';

/** @returns where the parts of a value stand that has this key */
export function placeBelow(place: Place, words: string, isPersons: boolean): Place {
  if (place === 'person' || isPersons) return 'person';
  return place === 'card' || CARD.test(words) ? 'card' : 'open';
}

/** True for a key whose value is a person's. @param extra further keys of this provider, as `wordsOf` reads them */
export function isPersonal(place: Place, words: string, extra: ReadonlySet<string>): boolean {
  if (extra.has(words)) return true;
  if (PERSONAL_WORDS.test(words)) return !OF_MERCHANT.test(words) || REACHES_SOMEBODY.test(words);
  if (place === 'person') return !NEUTRAL.test(words);
  return PERSON.test(words) || (place === 'card' && OF_CARD.test(words));
}
