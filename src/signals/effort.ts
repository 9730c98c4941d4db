/**
 * The share of the usual work for a request. It is less than 1 while the service is overloaded.
 *
 * A lower effort reduces the number of candidates. It changes neither the page length nor the filters and rules.
 */
export type Effort = 1 | 0.5 | 0.25;
