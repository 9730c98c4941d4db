/** A wallet and items that exist in the demo, so that the examples work. */
export const DEMO_WALLET = '0x00000000000000000000000000000000000a0001';
export const demoToken = (chain: string) => `${chain}.0x00000000000000000000000000000000000c0001`;
export const demoNft = (chain: string) => `${chain}.0x00000000000000000000000000000000000d0001.7`;
