# SPDX-License-Identifier: Apache-2.0
# find_package(pmproof CONFIG) gives the target pmproof::pmproof. Languages: CXX, by C++20.

include(CMakeFindDependencyMacro)
# Its headers are included by those of pmproof (Debian: libexpected-dev).
find_dependency(tl-expected)
# What the static library is linked with (Debian: zlib1g-dev libbz2-dev liblzma-dev libzstd-dev libxxhash-dev).
find_dependency(Threads)
find_dependency(ZLIB)
find_dependency(BZip2)
find_dependency(LibLZMA)
find_library(pmproof_zstd_LIBRARY zstd)
find_library(pmproof_xxhash_LIBRARY xxhash)
mark_as_advanced(pmproof_zstd_LIBRARY pmproof_xxhash_LIBRARY)
foreach(pmproof_name zstd xxhash)
  if(NOT pmproof_${pmproof_name}_LIBRARY)
    set(pmproof_FOUND FALSE)
    set(pmproof_NOT_FOUND_MESSAGE "pmproof needs lib${pmproof_name} (Debian: lib${pmproof_name}-dev)")
    return()
  endif()
endforeach()

if(NOT TARGET pmproof::pmproof)
  get_filename_component(pmproof_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  add_library(pmproof::pmproof STATIC IMPORTED)
  set_target_properties(pmproof::pmproof PROPERTIES
    IMPORTED_LOCATION "${pmproof_PREFIX}/lib/libpmproof.a"
    IMPORTED_LINK_INTERFACE_LANGUAGES CXX
    INTERFACE_COMPILE_FEATURES cxx_std_20
    INTERFACE_INCLUDE_DIRECTORIES "${pmproof_PREFIX}/include/pmproof")
  set_property(TARGET pmproof::pmproof PROPERTY INTERFACE_LINK_LIBRARIES
    tl::expected
    "$<LINK_ONLY:ZLIB::ZLIB>"
    "$<LINK_ONLY:BZip2::BZip2>"
    "$<LINK_ONLY:LibLZMA::LibLZMA>"
    "$<LINK_ONLY:${pmproof_zstd_LIBRARY}>"
    "$<LINK_ONLY:${pmproof_xxhash_LIBRARY}>"
    "$<LINK_ONLY:Threads::Threads>")
  unset(pmproof_PREFIX)
endif()
