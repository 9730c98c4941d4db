import {
  defineIntegration,
  fetchBounded,
  type Metadata,
  TooNested,
  Type,
  UnusableAnswer,
} from 'feedloom/plugin';

/** A request without an answer after this time has failed. */
const TIMEOUT_MS = 2_000;
const BYTES_MAX = 256 * 1024;
/** Longer texts would not be shown, but would count for the size of the whole metadata. Images may be `data:` URLs. */
const IMAGE_URL_LENGTH_MAX = 8_192;
const DESCRIPTION_LENGTH_MAX = 10_000;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const first = (...values: unknown[]): unknown =>
  values.find((value) => value !== undefined && value !== null);

/** JavaScript's notation of very small and very large numbers: sign, integer digit, decimals, exponent. */
const EXPONENT_NOTATION = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;

/** Writes a number without an exponent. Returns any other value as it is, so text keeps all its decimals. */
function asText(value: unknown): unknown {
  if (typeof value !== 'number') return value;
  const text = String(value);
  const [, sign, whole, rest = '', exponent] = EXPONENT_NOTATION.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = whole + rest;
  return Number(exponent) < 0
    ? `${sign}0.${'0'.repeat(-Number(exponent) - 1)}${digits}`
    : sign + digits.padEnd(Number(exponent) + 1, '0');
}

function prices(value: unknown): unknown {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isObject).map((price) => ({
    ...price,
    value_usd_string: asText(price.value_usd_string),
    value_usd_string_high_precision: asText(price.value_usd_string_high_precision),
    liquidity_usd_string: asText(price.liquidity_usd_string),
  }));
}

function attributes(item: Json): unknown {
  const extra = isObject(item.extra_metadata) ? item.extra_metadata.attributes : undefined;
  const all = first(item.attributes, item.traits, extra);
  if (!Array.isArray(all)) return undefined;
  return all.filter(isObject).filter(({ trait_type, value }) => trait_type != null && value != null);
}

function creator(item: Json): unknown {
  const of_item = isObject(item.creator) ? item.creator.address : item.creator;
  const of_contract = isObject(item.contract) ? item.contract.deployed_by : undefined;
  return first(of_item, of_contract);
}

const cut = (value: unknown): unknown =>
  typeof value === 'string' ? value.slice(0, DESCRIPTION_LENGTH_MAX).toWellFormed() : value;

/** Leaves out a longer URL. */
const shownUrl = (value: unknown): unknown =>
  typeof value === 'string' && value.length > IMAGE_URL_LENGTH_MAX ? undefined : value;

/** Maps the field names of common services to those of `Metadata`. The host removes values of a wrong type. */
function mapped(item: Json): Metadata {
  const collection = isObject(item.collection) ? item.collection : {};
  const fields: Json = {
    name: item.name,
    symbol: item.symbol,
    decimals: item.decimals,
    prices: prices(item.prices),
    holder_count: item.holder_count,
    supply: asText(first(item.supply, item.total_supply)),
    created_date: item.created_date,
    description: cut(item.description),
    image_url: first(shownUrl(item.image_url), shownUrl(item.image)),
    collection_name: first(item.collection_name, collection.name),
    attributes: attributes(item),
    creator: creator(item),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => first(value) !== undefined));
}

/** Finds the item in an answer: the answer itself, its `data` or `result`, or the first entry of a list. */
function itemOf(answer: unknown): Json {
  const inner = isObject(answer) ? first(answer.data, answer.result, answer.fungibles, answer) : answer;
  const item = Array.isArray(inner) ? inner[0] : inner;
  return isObject(item) ? item : {};
}

/** Whether a failure is about the answer for one item, so that the service is there. */
const isAnswer = (error: unknown): boolean =>
  error instanceof UnusableAnswer || error instanceof SyntaxError || error instanceof TooNested;

/**
 * Fetches metadata from another HTTP service, with one GET request per item.
 *
 * An item that is not found (404) has no metadata, and one with another answer that is no metadata has an error. The
 * provider fails if there is no answer for any item of a call: too late, no connection, 5xx or 429.
 */
export default defineIntegration({
  summary: "A third party's HTTP service, asked for one item at a time.",
  options: Type.Object(
    {
      url: Type.String({
        maxLength: 4096,
        default: '',
        description: 'a URL that contains {item_id}; empty: no request is sent',
      }),
      key_header: Type.String({
        maxLength: 256,
        default: 'x-api-key',
        description: 'the name of the header that carries the key',
      }),
      key: Type.String({ maxLength: 8192, default: '', description: 'a key; empty: no key is sent' }),
    },
    { additionalProperties: false },
  ),
  describe: ({ url, key_header, key }) => {
    const headers = { accept: 'application/json', ...(key === '' ? {} : { [key_header]: key }) };
    const ask = async (item_id: string): Promise<Metadata | Error> => {
      const address = url.replaceAll('{item_id}', encodeURIComponent(item_id));
      const answer = await fetchBounded(address, { headers, timeout_ms: TIMEOUT_MS, bytes_max: BYTES_MAX });
      const { status } = answer;
      if (status === 404) return {};
      if (status === 429 || status >= 500) throw new Error(`it answered ${status}`);
      return status === 200 ? mapped(itemOf(await answer.json())) : new Error(`it answered ${status}`);
    };
    return async (item_ids) => {
      if (url === '') return item_ids.map(() => ({}));
      const answers = await Promise.allSettled(item_ids.map(ask));
      const failed = answers.filter((answer) => answer.status === 'rejected');
      const is_away = failed.length === item_ids.length && !failed.some(({ reason }) => isAnswer(reason));
      if (failed.length > 0 && is_away) throw failed[0].reason;
      return answers.map((answer) =>
        answer.status === 'fulfilled' ? answer.value : (answer.reason as Error),
      );
    };
  },
});
