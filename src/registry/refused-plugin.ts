import { StartupError } from '../errors.ts';

/** The codes of rejected plugin files. Each error names the file, the reason and the remedy. */
export type PluginErrorCode =
  | 'plugin_not_found'
  | 'plugin_threw_on_load'
  | 'plugin_malformed'
  | 'plugin_api_mismatch'
  | 'plugin_bad_id'
  | 'plugin_duplicate_id'
  | 'plugin_options_invalid';

/** A rejected plugin. The message contains the file and the reason, so it is for the operator only. */
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
