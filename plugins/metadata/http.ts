import { defineMetadataProvider, type Metadata, Type } from 'feedloom/plugin';

/** A service that has not answered by then has failed. */
const TIMEOUT_MS = 2_000;
/** Of one answer. */
const BYTES_MAX = 256 * 1024;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first of some values that is there. */
const first = (...values: unknown[]): unknown =>
  values.find((value) => value !== undefined && value !== null);

/** How JavaScript writes numbers that are very small or very large: sign, digits before and after the point, power. */
const WITH_POWER = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;

/** A number in decimal digits; everything else as it is: text keeps all its decimals. */
function asText(value: unknown): unknown {
  if (typeof value !== 'number') return value;
  const text = String(value);
  const [, sign, whole, rest = '', power] = WITH_POWER.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = whole + rest;
  return Number(power) < 0
    ? `${sign}0.${'0'.repeat(-Number(power) - 1)}${digits}`
    : sign + digits.padEnd(Number(power) + 1, '0');
}

/** The body of an answer, given up as soon as it is too large. */
async function readBody(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > BYTES_MAX) throw new Error(`the answer has more than ${BYTES_MAX} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
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

/** Fields under the names that such services give them. What is no value of its field, the host leaves out. */
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
    description: item.description,
    image_url: first(item.image_url, item.image),
    collection_name: first(item.collection_name, collection.name),
    attributes: attributes(item),
    creator: creator(item),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => first(value) !== undefined));
}

/** The item of an answer: the answer itself, or what it holds under `data`, `result`, or alone in a list. */
function itemOf(answer: unknown): Json {
  const inner = isObject(answer) ? first(answer.data, answer.result, answer.fungibles, answer) : answer;
  const item = Array.isArray(inner) ? inner[0] : inner;
  return isObject(item) ? item : {};
}

/**
 * Asks another service, one request an item: a GET of the URL with the item's identifier in it. Its errors
 * are this provider's when it answers nothing else; an item that it does not know (404) is unknown.
 */
export default defineMetadataProvider({
  summary: "A third party's HTTP service, asked for one item at a time.",
  options: Type.Object(
    {
      url: Type.String({
        maxLength: 4096,
        default: '',
        description: 'a URL with {item_id} in it; empty: nobody is asked',
      }),
      key_header: Type.String({
        maxLength: 256,
        default: 'x-api-key',
        description: 'the header that the key is sent in',
      }),
      key: Type.String({ maxLength: 8192, default: '', description: 'a key; empty: none is sent' }),
    },
    { additionalProperties: false },
  ),
  compile: ({ url, key_header, key }) => {
    const headers = { accept: 'application/json', ...(key === '' ? {} : { [key_header]: key }) };
    const ask = async (item_id: string): Promise<Metadata> => {
      const address = url.replaceAll('{item_id}', encodeURIComponent(item_id));
      // A redirect could take the key elsewhere.
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(address, { headers, redirect: 'manual', signal });
      if (response.status === 404) return {};
      if (response.status !== 200) throw new Error(`it answered ${response.status}`);
      return mapped(itemOf(JSON.parse(await readBody(response))));
    };
    return async (item_ids) => {
      if (url === '') return item_ids.map(() => ({}));
      const answers = await Promise.allSettled(item_ids.map(ask));
      const failed = answers.find((answer) => answer.status === 'rejected');
      if (failed !== undefined && answers.every((answer) => answer.status === 'rejected'))
        throw failed.reason;
      return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : {}));
    };
  },
});
