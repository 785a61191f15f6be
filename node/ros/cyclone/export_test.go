package cyclone

// DomainConfig is for tests that start peers of their own.
var DomainConfig = domainConfig
