/**
 * For 127.0.0.1, localhost and smtp-sink.test, signed by itself, good until 2126. Made for these tests:
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=smtp-sink.test -addext subjectAltName=…`
 */
export const smtpCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3zFJyAQdh4sBdzqH
mdNHiMkwTFpEOSNBUuQ+Hg9sbcmhRANCAATj1+9izybPxEm6SWDPqjb5UODm/kT9
lSvrnNmkw4HtwvzlV+vgz47vZKkRjb0Zt6HwnhcRtpTve2dr5RuSrRWc
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBtTCCAVugAwIBAgIUdBO3vtdpARYGVyPQETGfYn7bZkUwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOc210cC1zaW5rLnRlc3QwIBcNMjYxMTIwMTY0OTM3WhgPMjEy
NjEwMjcxNjQ5MzdaMBkxFzAVBgNVBAMMDnNtdHAtc2luay50ZXN0MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAE49fvYs8mz8RJuklgz6o2+VDg5v5E/ZUr65zZpMOB
7cL85Vfr4M+O72SpEY29Gbeh8J4XEbaU73tna+Ubkq0VnKN/MH0wHQYDVR0OBBYE
FCBDgKJSvf22gexyeqZQFWbkIHirMB8GA1UdIwQYMBaAFCBDgKJSvf22gexyeqZQ
FWbkIHirMA8GA1UdEwEB/wQFMAMBAf8wKgYDVR0RBCMwIYIJbG9jYWxob3N0gg5z
bXRwLXNpbmsudGVzdIcEfwAAATAKBggqhkjOPQQDAgNIADBFAiBq/MvCt8WgEwVw
53W8UqPiQ2Wz1SS8JV53PxzwOuvWOwIhAOFjTJW6TvF0yve58QrleTo7TJh/WGw3
SuAN4S86IlAz
-----END CERTIFICATE-----`,
};
