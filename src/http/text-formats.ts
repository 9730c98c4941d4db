/**
 * Registers the text formats that option schemas may name (`Type.String({ format: 'date' })`).
 *
 * The library that serves HTTP defines them. Processes that check options without serving import this file.
 */
import 'elysia/type-system/format';
