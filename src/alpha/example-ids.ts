import { type TSchema, Type } from '@sinclair/typebox';

/** A wallet and items that exist in the demo, so that the examples work. */
export const DEMO_WALLET = '0x00000000000000000000000000000000000a0001';
export const demoToken = (chain: string) => `${chain}.0x00000000000000000000000000000000000c0001`;
export const demoNft = (chain: string) => `${chain}.0x00000000000000000000000000000000000d0001.7`;

export const WalletSchema = Type.String({
  pattern: '^0x[0-9a-fA-F]{40}$',
  description: 'Address of a wallet: 0x and 40 hexadecimal digits of any case.',
});

export function itemIdSchema(chain: string): TSchema {
  return Type.String({
    pattern: `^${chain}\\.0x[0-9a-fA-F]{40}(\\.(0|[1-9]\\d{0,77}))?$`,
    description: '`<chain>.<contract>` for a token, `<chain>.<contract>.<token_id>` for an NFT.',
  });
}
