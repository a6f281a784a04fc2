/** What exactly is wrong with a server, of a failure `tls` or `protocol`. */
export const failureDetails = [
  'self_signed',
  'unknown_authority',
  'wrong_name',
  'expired',
  'not_yet_valid',
  'weak_key',
  'bad_certificate',
  'unknown_host',
  'client_certificate',
  'old_tls',
  'no_common_cipher',
  'http_2_only',
  'not_tls',
  'handshake_closed',
  'handshake_failed',
  'headers_too_large',
  'too_many_interim',
  'unclear_length',
  'switched_protocol',
  'not_http',
] as const;

export type FailureDetail = (typeof failureDetails)[number];

/** Says it in words, with what can be done. */
export const sayFailure = (detail: FailureDetail): string => `the server ${sayFailureDetail[detail]}`;

/** The words by themselves. Each follows the server as its subject. */
export const sayFailureDetail: Readonly<Record<FailureDetail, string>> = {
  self_signed: 'has a self-signed certificate: it needs one of a known authority, or its own in EGRESS_CA_FILE',
  unknown_authority:
    'has a certificate of an unknown authority: it may leave out the intermediate certificate, or EGRESS_CA_FILE lacks a private authority',
  wrong_name: 'has a certificate for another name than the host of the URL',
  expired: 'has an expired certificate',
  not_yet_valid: 'has a certificate that is not valid yet: one of the two clocks may be wrong',
  weak_key: 'has a key or a signature that is too weak: it needs RSA with 2048 bits or more, or ECDSA, with SHA-256',
  bad_certificate: 'has a certificate that is not valid for a server',
  unknown_host: 'does not know the host name of the URL: its certificate may be missing',
  client_certificate: 'asks for a client certificate, and Parley has none: it must accept requests without one',
  old_tls: 'supports only outdated TLS: it must accept TLS 1.2 with secure renegotiation, or TLS 1.3',
  no_common_cipher: 'accepts none of the TLS ciphers that Parley offers, which are those of current browsers',
  http_2_only: 'accepts only HTTP/2: it must accept HTTP/1.1 as well',
  not_tls: 'does not use TLS on that port, but probably plain HTTP',
  handshake_closed: 'closed the connection before TLS was set up: a firewall or proxy in front of it may refuse Parley',
  handshake_failed: 'ended the TLS handshake for a reason that Parley does not know',
  headers_too_large: 'responded with more than 64 kB of headers',
  too_many_interim: 'sent more than 32 interim (1xx) responses',
  unclear_length: 'responded with an invalid Content-Length, or several different ones',
  switched_protocol: 'switched to another protocol (101), which Parley did not ask for',
  not_http: 'responded with something that is not HTTP',
};
