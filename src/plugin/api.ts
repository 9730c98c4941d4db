/**
 * Version of the contract. A plugin states the version it was written for in `meta.api`.
 *
 * Plugins cannot import it: one that did would claim to be written for any contract.
 */
export const PLUGIN_API = 2;
