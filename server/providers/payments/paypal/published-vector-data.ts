// A webhook that PayPal's sandbox really signed, as its own SDK publishes it for tests. Only the tests read this.

/** @source github.com/paypal/PayPal-Java-SDK, clientCertTest.crt: valid 2019-04-02 to 2021-05-24 */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIHijCCBnKgAwIBAgIQB3GqTB0N3B8PmVGEuwt6/zANBgkqhkiG9w0BAQsFADB1
MQswCQYDVQQGEwJVUzEVMBMGA1UEChMMRGlnaUNlcnQgSW5jMRkwFwYDVQQLExB3
d3cuZGlnaWNlcnQuY29tMTQwMgYDVQQDEytEaWdpQ2VydCBTSEEyIEV4dGVuZGVk
IFZhbGlkYXRpb24gU2VydmVyIENBMB4XDTE5MDQwMjAwMDAwMFoXDTIxMDUyNDEy
MDAwMFowgf0xHTAbBgNVBA8MFFByaXZhdGUgT3JnYW5pemF0aW9uMRMwEQYLKwYB
BAGCNzwCAQMTAlVTMRkwFwYLKwYBBAGCNzwCAQITCERlbGF3YXJlMRAwDgYDVQQF
EwczMDE0MjY3MQswCQYDVQQGEwJVUzETMBEGA1UECBMKQ2FsaWZvcm5pYTERMA8G
A1UEBxMIU2FuIEpvc2UxFTATBgNVBAoTDFBheVBhbCwgSW5jLjEYMBYGA1UECxMP
UGFydG5lciBTdXBwb3J0MTQwMgYDVQQDEyttZXNzYWdldmVyaWZpY2F0aW9uY2Vy
dHMuc2FuZGJveC5wYXlwYWwuY29tMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIB
CgKCAQEAhk0EEavi3s7O0rXkPQ3zWbW8gGISd0iP43Je+8Ydo3uqgSjoF6C0Ih+T
7kM9Vq/fa3TqcfEM5FFJBf8AxYrC1POfRknDTMZF2jvyMNoOvEKrGI/boZpR71LK
0ZQuLzXGbqzIcPE+PYcr75lVEITX7CdblXhup40XINGxhduFmEuf6qpqamGFXEW6
PnKgVIK7lRrahp6wFRySLp8uPYBmIY9oJdCzNJMgR6kH+qCTGexoFYM/bthn7UoI
2qpgaxR54OPdlalGLCZ95cU1av4cz4gvuT4w+0E67PJVefNInjTbxitRzmbmfDmy
4EACE5f5MvQl+/3fxh2J8esdBU8qZwIDAQABo4IDizCCA4cwHwYDVR0jBBgwFoAU
PdNQpdagre7zSmAKZdMh1Pj41g8wHQYDVR0OBBYEFD86g/8OQmYZVefgSxQDdoQ/
a+ObMDYGA1UdEQQvMC2CK21lc3NhZ2V2ZXJpZmljYXRpb25jZXJ0cy5zYW5kYm94
LnBheXBhbC5jb20wDgYDVR0PAQH/BAQDAgWgMB0GA1UdJQQWMBQGCCsGAQUFBwMB
BggrBgEFBQcDAjB1BgNVHR8EbjBsMDSgMqAwhi5odHRwOi8vY3JsMy5kaWdpY2Vy
dC5jb20vc2hhMi1ldi1zZXJ2ZXItZzIuY3JsMDSgMqAwhi5odHRwOi8vY3JsNC5k
aWdpY2VydC5jb20vc2hhMi1ldi1zZXJ2ZXItZzIuY3JsMEsGA1UdIAREMEIwNwYJ
YIZIAYb9bAIBMCowKAYIKwYBBQUHAgEWHGh0dHBzOi8vd3d3LmRpZ2ljZXJ0LmNv
bS9DUFMwBwYFZ4EMAQEwgYgGCCsGAQUFBwEBBHwwejAkBggrBgEFBQcwAYYYaHR0
cDovL29jc3AuZGlnaWNlcnQuY29tMFIGCCsGAQUFBzAChkZodHRwOi8vY2FjZXJ0
cy5kaWdpY2VydC5jb20vRGlnaUNlcnRTSEEyRXh0ZW5kZWRWYWxpZGF0aW9uU2Vy
dmVyQ0EuY3J0MAwGA1UdEwEB/wQCMAAwggF/BgorBgEEAdZ5AgQCBIIBbwSCAWsB
aQB2ALvZ37wfinG1k5Qjl6qSe0c4V5UKq1LoGpCWZDaOHtGFAAABad+/lkUAAAQD
AEcwRQIgT9BVT/eHgjGr6rUUYcQIhVFYnfZ6nJGGPTyIT7pOGvoCIQC9n9SpeR8a
RGMwCbxjRcPFxXMIpkdoKOWrYO4s0zjE9AB2AFYUBpov18Ls0/XhvUSyPsdGdrm8
mRFcwO+UmFXWidDdAAABad+/lsIAAAQDAEcwRQIgAYEuDGKo0fzMUu7gbgshzDc1
On5OUGEYPb7XxAhRcEcCIQCEMEo0Dg18DsTA3xfeGxGluPEERqCSPDJHw6DHLt7H
XgB3AId1v+dZfPiMQ5lfvfNu/1aNR1Y2/0q1YMG06v9eoIMPAAABad+/mJAAAAQD
AEgwRgIhAIfjNYkADzqs0QlTLWWKrBf5eFEiGJZm6pB7XD8FyVc9AiEA/bxg9jFP
un3Xdorxxo1H0kx761k/V5Qt4kxkBYmHsdAwDQYJKoZIhvcNAQELBQADggEBAFdV
EwP/P8X1HzkYcFi82vRbUd9uLn4DnnHJH2Y5mcsH6wXi5hhMtJDMAm4vd39m0r82
MWHvpK+Hxh4e+DzNEiLPowerZNxtRo7bqV67BavDUG5yuAzVPPWZSdoYRwYUQBWM
9QZvVnLdZTh2R3DemH7t6awCu5ePo+XLzJXTMHvW93rzzpktXO6GfsFsXLh5/a43
Go5OaSZZYofmV/SxRiQyvE+RZHysDKAtHcU0xJJRfSzaBrLkAwO55+QSscrdPMpG
B5TCRdCa3nvtJOjfhSCgGi1MWUaLaHviSDTwm6LtczvYtFO+56jQPaMcty4JFeqn
nj67G5R+JlvQHScHGWA=
-----END CERTIFICATE-----
`;

/**
 * The body itself is 3,241 bytes of a person's test purchase and is not repeated here; its CRC-32
 * is what enters the signature.
 * @source github.com/paypal/PayPal-Java-SDK, ValidateCertTest.java
 */
export const SIGNED_2019 = {
  message: 'afa30d40-ca4a-11e9-ab68-7d4e2605c70c|2019-08-29T10:49:33Z|0FV983392A0531201|3674300368',
  signature:
    'K7DF5+hOyGS6v0xTZ9PkEO+BFNQmpryxw2hFlXbHgmxpu+883ldEC9HcL6ccEmB8sfy80y/Q3qcZZL1MR8Qi0e1ysylVj/yROgKK6zBsQPoNmgXC8yTiNoAjULuhk5Aoau0Itk3nrkgAfji1zvADlErMFM9VZe2nDvhM3nDMLjCi/K5fRjWp3eGo6Nx17GX/WIEibeKDyS+YdJMex3i+KO4aWmm9zznC/FJ5Y/ntd0MxOJNrM0r0f3y7c3e3sO5pB3oPgN6KzKVS5P6AWHqtS8acD3DjgCKZ1uqKz7q954G1aBz2/m0wRGOFFsv0/D3FE2uIheRRmoQtVSOAX7Aupg==',
};

/**
 * @source github.com/paypal/PayPal-Python-SDK, webhook event test: body and the CRC-32 that enters the signed message
 */
export const BODY_2015 =
  '{"id":"WH-0G2756385H040842W-5Y612302CV158622M","create_time":"2015-05-18T15:45:13Z","resource_type":"sale","event_type":"PAYMENT.SALE.COMPLETED","summary":"Payment ' +
  'completed for $ 20.0 ' +
  'USD","resource":{"id":"4EU7004268015634R","create_time":"2015-05-18T15:44:02Z","update_time":"2015-05-18T15:44:21Z","amount":{"total":"20.00","currency":"USD"},"payment_mode":"INSTANT_TRANSFER","state":"completed","protection_eligibility":"ELIGIBLE","protection_eligibility_type":"ITEM_NOT_RECEIVED_ELIGIBLE,UNAUTHORIZED_PAYMENT_ELIGIBLE","parent_payment":"PAY-86C81811X5228590KKVNARQQ","transaction_fee":{"value":"0.88","currency":"USD"},"links":[{"href":"https://api.sandbox.paypal.com/v1/payments/sale/4EU7004268015634R","rel":"self","method":"GET"},{"href":"https://api.sandbox.paypal.com/v1/payments/sale/4EU7004268015634R/refund","rel":"refund","method":"POST"},{"href":"https://api.sandbox.paypal.com/v1/payments/payment/PAY-86C81811X5228590KKVNARQQ","rel":"parent_payment","method":"GET"}]},"links":[{"href":"https://api.sandbox.paypal.com/v1/notifications/webhooks-events/WH-0G2756385H040842W-5Y612302CV158622M","rel":"self","method":"GET"},{"href":"https://api.sandbox.paypal.com/v1/notifications/webhooks-events/WH-0G2756385H040842W-5Y612302CV158622M/resend","rel":"resend","method":"POST"}]}';
export const MESSAGE_2015 = 'dfb3be50-fd74-11e4-8bf3-77339302725b|2015-05-18T15:45:13Z|4JH86294D6297924G|2771810304';
