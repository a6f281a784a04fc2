/** The installation's own test endpoint: beside EGRESS_ALLOW the only address of this machine that may be called. */
export interface OwnEndpoint {
  /** Exactly as its urls begin: `https://127.0.0.1:<port>`. */
  origin: string;
  /** The authority of its certificate, PEM. It is trusted for this address alone. */
  caPem: string;
}

/** Undefined while our own listener does not hold the port. */
export type FindOwnEndpoint = () => OwnEndpoint | undefined;

/**
 * Whether a url leads to our own endpoint. It goes by the text, not by the address: a name that resolves there, another port, and every other
 * spelling of the address stay refused.
 */
export const leadsToOwn = (own: Pick<OwnEndpoint, 'origin'> | undefined, url: string): boolean =>
  own !== undefined && url.startsWith(`${own.origin}/`);
