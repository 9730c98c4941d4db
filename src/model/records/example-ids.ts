/**
 * Identifiers in examples of the API. The sample community of `feedloom demo` has all of them but the new ones, so that
 * the examples can be tried out there.
 */
export const EXAMPLE_IDS = {
  /** An item with many interactions. */
  item: '0x6515e570035657bae563d89bbc52efd931bfd15f',
  /** An item with replies. */
  thread: '0x6f6fa745749caceaa46c289fff2843ce941b9e01',
  /** An item that no other example needs. */
  deleted_item: '0xec48a4947fdf8ebf38ade30028a15846d13eeeb0',
  new_item: '0x07cb1f36',
  viewer: '1000',
  other_viewer: '1001',
  /** A user whose acts and follows the examples change. */
  actor: '1002',
  followed: '1003',
  /** A user that no other example needs. */
  erased_user: '1399',
  new_user: '9152',
  list: 'editors',
} as const;

/** A wallet and items that exist in the demo, too. */
export const DEMO_WALLET = '0x00000000000000000000000000000000000a0001';
export const demoToken = (chain: string) => `${chain}.0x00000000000000000000000000000000000c0001`;
export const demoNft = (chain: string) => `${chain}.0x00000000000000000000000000000000000d0001.7`;
