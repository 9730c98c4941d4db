import { StartupError } from '../errors.ts';

/** Coded refusals of a plugin file; each names the file, the reason and the remedy. */
export type PluginErrorCode =
  | 'plugin_not_found'
  | 'plugin_threw_on_load'
  | 'plugin_malformed'
  | 'plugin_api_mismatch'
  | 'plugin_bad_id'
  | 'plugin_duplicate_id'
  | 'plugin_options_invalid';

/** A plugin that is not taken: its file, and in the message that and the reason, which are for the operator alone. */
export class RefusedPlugin extends StartupError {
  constructor(
    code: PluginErrorCode,
    readonly source: string,
    reason: string,
    remedy: string,
  ) {
    super(code, `plugin ${source}: ${reason}`, remedy);
  }
}

export function refusePlugin(
  code: PluginErrorCode,
  source: string,
  reason: string,
  remedy: string,
): RefusedPlugin {
  return new RefusedPlugin(code, source, reason, remedy);
}
