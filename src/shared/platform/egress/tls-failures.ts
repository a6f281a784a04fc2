import { codeOf } from '../error-code.ts';

/** What can be wrong with a server's TLS. */
export const tlsFailures = [
  'self_signed',
  'unknown_authority',
  'wrong_name',
  'expired',
  'not_yet_valid',
  'not_tls',
] as const;

export type TlsFailure = (typeof tlsFailures)[number];

/** The same in words, with what can be done. Each follows the server as its subject. */
export const sayTlsFailure: Readonly<Record<TlsFailure, string>> = {
  self_signed: 'has a self-signed certificate: it needs one of a known authority, or its own in EGRESS_CA_FILE',
  unknown_authority:
    'has a certificate of an unknown authority: it may leave out the intermediate certificate, or EGRESS_CA_FILE lacks a private authority',
  wrong_name: 'has a certificate for another name than the host of the url',
  expired: 'has an expired certificate',
  not_yet_valid: 'has a certificate that is not valid yet: one of the two clocks may be wrong',
  not_tls: 'does not speak TLS on that port, but probably plain http',
};

/** The failure that an error of OpenSSL or Node tells of; undefined for all others, whose own words must do. */
export function findTlsFailure(error: Error | undefined): TlsFailure | undefined {
  return failureByCode.get(codeOf(error) ?? '');
}

const failureByCode = new Map<string, TlsFailure>([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self_signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unknown_authority'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'unknown_authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unknown_authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknown_authority'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'wrong_name'],
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'not_yet_valid'],
  // OpenSSL takes the first bytes of an HTTP answer for this.
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'not_tls'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'not_tls'],
]);
