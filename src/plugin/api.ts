/**
 * Version of the contract. A plugin states the version it was written for in `meta.api`.
 *
 * A plugin that is published writes the number: one that imports it claims to be written for any contract.
 */
export const PLUGIN_API = 2;
