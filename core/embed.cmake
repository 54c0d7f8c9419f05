# Compiles files into a library, so that the programs need nothing beside them.
#
#   bubblescope_embed(bubblescope_cli handbookText resources/handbook.md)
#
# gives that target `#include "embedded/handbookText.h"` with
# `std::string_view bubblescope::embedded::handbookText();`. Any content, also binary.
# `bubblescope_embed_migrations(target folder)` does the same for the SQL files folder/NNN_*.sql, which
# become the list that core/trace/migrations.h declares.
#
# The same file is the script that the build runs to write the sources: always up to date with the
# files, and no tool is needed but cmake.

if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)

  # The content of a file as the elements of a char array, ended by a zero.
  function(as_characters variable file)
    file(READ "${file}" hex HEX)
    string(REGEX REPLACE "(..)" "'\\\\x\\1'," characters "${hex}")
    string(REGEX REPLACE "(......................................................................)" "\\1\n"
      characters "${characters}")
    set(${variable} "${characters}'\\0'" PARENT_SCOPE)
  endfunction()

  string(REPLACE "|" ";" files "${FILES}")
  if(SYMBOL)
    as_characters(characters "${files}")
    file(WRITE "${OUTPUT}" "#include \"embedded/${SYMBOL}.h\"

namespace bubblescope::embedded {
namespace {
const char content[] = {
${characters}};
}

std::string_view ${SYMBOL}() { return {content, sizeof content - 1}; }
}
")
  else()
    set(arrays "")
    set(entries "")
    set(count 0)
    foreach(file IN LISTS files)
      cmake_path(GET file FILENAME name)
      if(NOT name MATCHES "^0*([0-9]+)_")
        message(FATAL_ERROR "${name}: a migration is named NNN_subject.sql")
      endif()
      set(number "${CMAKE_MATCH_1}")
      as_characters(characters "${file}")
      string(APPEND arrays "const char sql${number}[] = {\n${characters}};\n")
      string(APPEND entries "    Migration{${number}, {sql${number}, sizeof sql${number} - 1}},\n")
      math(EXPR count "${count} + 1")
    endforeach()
    file(WRITE "${OUTPUT}" "#include \"core/trace/migrations.h\"

#include <array>

namespace bubblescope {
namespace {
${arrays}
constexpr std::array<Migration, ${count}> list = {
${entries}};
}

std::span<const Migration> migrations() { return list; }
}
")
  endif()
  return()
endif()

set(bubblescope_embed_script "${CMAKE_CURRENT_LIST_FILE}")

function(bubblescope_embed target symbol file)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_SOURCE_DIR}")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/generated")
  set(source "${folder}/embedded/${symbol}.cpp")
  file(CONFIGURE OUTPUT "${folder}/embedded/${symbol}.h" @ONLY CONTENT
    "#pragma once\n\n#include <string_view>\n\nnamespace bubblescope::embedded {\nstd::string_view @symbol@();\n}\n")
  add_custom_command(OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" "-DFILES=${file}" "-DSYMBOL=${symbol}" "-DOUTPUT=${source}" -P "${bubblescope_embed_script}"
    DEPENDS "${file}" "${bubblescope_embed_script}"
    VERBATIM)
  target_sources(${target} PRIVATE "${source}")
  target_include_directories(${target} PRIVATE "${folder}")
endfunction()

function(bubblescope_embed_migrations target folder)
  file(GLOB files CONFIGURE_DEPENDS "${folder}/[0-9]*.sql")
  list(SORT files COMPARE NATURAL)
  list(JOIN files "|" joined)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/generated/migrations.cpp")
  add_custom_command(OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" "-DFILES=${joined}" "-DOUTPUT=${source}" -P "${bubblescope_embed_script}"
    DEPENDS ${files} "${bubblescope_embed_script}"
    VERBATIM)
  target_sources(${target} PRIVATE "${source}")
endfunction()
