import { testMetadataProvider } from 'feedloom/plugin/testing';
import plugin from './token-list';

const USDC = 'base.0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const INCOMPLETE = 'base.0x4200000000000000000000000000000000000006';

testMetadataProvider(plugin, 'acme/token_list_v1.0.0', {
  cases: [
    {
      name: 'knows whole entries of the list by their contract, and no single NFT',
      item_ids: [INCOMPLETE, USDC, `${USDC}.1`],
      expect: [{}, { name: 'USD Coin', symbol: 'USDC', decimals: 6, chain: 'base' }, {}],
    },
  ],
});
