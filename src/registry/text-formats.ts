/**
 * Registers the text formats that option schemas may name (`Type.String({ format: 'date' })`).
 *
 * The library that serves HTTP defines them, and few commands load it.
 */
import 'elysia/type-system/format';
