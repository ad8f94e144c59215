import { expect, test } from 'vitest';
import { isPublicAddress } from '../../src/platform/outbound/public-address.ts';

const PUBLIC = [
  ...['1.1.1.1', '93.184.216.34', '172.15.255.255', '172.32.0.1', '100.63.255.255', '100.128.0.1', '223.255.255.255'],
  ...['2606:4700::1111', '2a00:1450:4001:80b::200e', '::ffff:1.1.1.1', '64:ff9b::1.1.1.1'],
];

const PRIVATE = [
  // this network, private, shared, loopback, link-local, documentation, benchmarks, multicast, reserved, broadcast
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.127.255.255'],
  ...['127.0.0.1', '127.255.255.254', '169.254.169.254', '192.0.0.8', '192.0.2.1', '198.51.100.1', '203.0.113.1'],
  ...['198.18.0.1', '198.19.255.255', '192.88.99.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  '168.63.129.16',
  // the same for IPv6
  ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1', 'fc00::1', 'fd12:3456::1', 'ff02::1', '100::1'],
  ...['2001:db8::1', '3fff::1', '2001:2::1', '2001:10::1', '2001:20::1', '5f00::1', '4000::1'],
  // IPv4 inside of IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo
  ...['::ffff:10.0.0.1', '::ffff:a00:1', '::ffff:169.254.169.254', '::10.0.0.1', '::7f00:1'],
  ...[
    '::ffff:0:10.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1.1.1.1',
    '2002:a00:1::',
    '2002:101:101::',
  ],
  ...['2001:0:a00:1::', '2001::1'],
  // no addresses
  ...['', 'localhost', '1.1.1.1/8', '[::1]', '256.0.0.1'],
];

test.each(PUBLIC)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

test.each(PRIVATE)('"%s" is not public', (address) => expect(isPublicAddress(address)).toBe(false));
