/**
 * acme/token_list_v1.0.0: a metadata provider that knows tokens by a list of the common form
 * `{"tokens": [{"address", "name", "symbol", "decimals"}]}`, read again every hour. ACME_TOKENS: its path
 * (tokens.json beside this file).
 */
import { join } from 'node:path';
import { defineIntegration, definePlugin, type Refreshed, Type } from 'feedloom/plugin';

interface Token {
  address: string;
  name: string;
  symbol: string;
  decimals: number;
}

/** By contract address in lower case; assigned in `setup`, which runs before anything is compiled. */
let tokens: Refreshed<ReadonlyMap<string, Token>>;

const isToken = (token: Partial<Token>): token is Token =>
  typeof token.address === 'string' &&
  typeof token.name === 'string' &&
  typeof token.symbol === 'string' &&
  Number.isInteger(token.decimals);

async function readTokens(path: string): Promise<Map<string, Token>> {
  const { tokens }: { tokens: Partial<Token>[] } = await Bun.file(path).json();
  return new Map(tokens.filter(isToken).map((token) => [token.address.toLowerCase(), token]));
}

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  setup(host) {
    const path = Bun.env.ACME_TOKENS ?? join(import.meta.dir, 'tokens.json');
    tokens = host.refresh('tokens', 3600, () => readTokens(path));
  },
  integrations: {
    'acme/token_list_v1.0.0': defineIntegration({
      summary: 'Names, symbols and decimals of the tokens of a list.',
      options: Type.Object({}, { additionalProperties: false }),
      describe: () => async (item_ids) =>
        item_ids.map((id) => {
          const [chain, contract, token_id] = id.split('.');
          const token = token_id === undefined ? tokens.value.get(contract.toLowerCase()) : undefined;
          if (token === undefined) return {};
          const { name, symbol, decimals } = token;
          return { name, symbol, decimals, chain };
        }),
    }),
  },
});
